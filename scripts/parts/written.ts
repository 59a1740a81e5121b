/**
 * How statements are written for V8. It reads arrow functions in modules as if they were to run at once, which takes three times as long as
 * reading functions that it compiles at their first call; those it reads again then, unless they stand in parentheses, so that
 * they are compiled the first time.
 */
import ts from "typescript";

/** Whether something mentions `this`, or what else a function has of its own. */
export const hasOwnContext = (node: ts.Node): boolean =>
  node.kind === ts.SyntaxKind.ThisKeyword ||
  ts.isMetaProperty(node) ||
  (ts.isIdentifier(node) && node.text === "arguments") ||
  ts.forEachChild(node, (child) => (ts.isClassLike(child) ? false : hasOwnContext(child))) === true;

/** A function at the top that is compiled when it is read; it is no declaration then. */
export const isCompiledFirst = (node: ts.Node, isEarly: (fn: ts.Node) => boolean): node is ts.FunctionDeclaration =>
  ts.isFunctionDeclaration(node) && isEarly(node);

/**
 * The text of a statement at the top, without marks of what is pure.
 *
 * @param isEarly - whether a function runs at the start of most programs
 */
export function written(statement: ts.Statement, isEarly: (fn: ts.Node) => boolean): string {
  const source = statement.getSourceFile().text;

  /** The text with what is inside written; arrow functions there are read when the statement is, or not. */
  const textOf = (node: ts.Node, isRead: boolean, from = node.getStart()): string => {
    let [text, at] = ["", from];
    ts.forEachChild(node, (child) => {
      if (child.getStart() < at) return;
      text += source.slice(at, child.getStart()).replace(PURE, "") + inside(child, isRead);
      at = child.end;
    });
    return text + source.slice(at, node.end);
  };

  const inside = (node: ts.Node, isRead: boolean): string => {
    const made = madeAtOnce(node);
    if (made) return inside(made, isRead);
    if (!ts.isFunctionLike(node)) return textOf(node, isRead);
    const isReadInside = isEarly(node) || isCalledAtOnce(node);
    if (!isRead || !ts.isArrowFunction(node) || isCalledAtOnce(node) || hasOwnContext(node))
      return textOf(node, isReadInside);
    const { parameters, body, modifiers } = node;
    const head = `${modifiers ? "async " : ""}function(${source.slice(parameters.pos, parameters.end)})`;
    const text = `${head}${ts.isBlock(body) ? inside(body, isReadInside) : `{return ${inside(body, isReadInside)}}`}`;
    if (isEarly(node)) return `(${text})`;
    return /[\w$]/.test(source[node.getStart() - 1]!) ? ` ${text}` : text;
  };

  if (!isCompiledFirst(statement, isEarly)) return inside(statement, true);
  const { name } = statement;
  return `var ${name!.text}=(${source.slice(statement.getStart(), name!.getStart())}${textOf(statement, true, name!.end)});`;
}

const PURE = "/* @__PURE__ */ ";

const isCalledAtOnce = ({ parent }: ts.Node): boolean =>
  ts.isParenthesizedExpression(parent) && ts.isCallExpression(parent.parent) && parent.parent.expression === parent;

/** The value that a function gives which is called where it stands, has no parameters and does nothing else. */
function madeAtOnce(value: ts.Node): ts.Expression | null {
  if (!ts.isCallExpression(value) || value.arguments.length > 0 || !ts.isParenthesizedExpression(value.expression))
    return null;
  const { expression: made } = value.expression;
  return ts.isArrowFunction(made) && made.parameters.length === 0 && ts.isParenthesizedExpression(made.body)
    ? made.body
    : null;
}

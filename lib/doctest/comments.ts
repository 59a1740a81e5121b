/** Doc comments of a source file and the declarations they belong to. Knows nothing of examples. */

import { childrenOf, declarationOf, partOf, partsOf, type Comment, type Node, type Source } from "./syntax";

/** A doc comment. */
interface DocComment extends Comment {
  /** The full name (`Tensor.add`) of the declaration right below, or `null`. */
  readonly symbol: string | null;
}

/** Every doc comment of a source file, in order. */
export function docCommentsOf(source: Source): DocComment[] {
  const names = declarationNames(source);
  return source.comments
    .map((comment, i) => ({ ...comment, next: source.comments[i + 1] }))
    .filter(({ type, value }) => type === "Block" && value.startsWith("*"))
    .map(({ next, ...comment }) => {
      const below = comment.end + /^\s*/.exec(source.text.slice(comment.end))![0].length;
      return { ...comment, symbol: next?.start === below ? null : (names.get(below) ?? null) };
    });
}

/** Full names of declarations by the offset at which they begin. */
function declarationNames({ text, program }: Source): Map<number, string> {
  const names = new Map<number, string>();
  const visit = (node: Node, scope: string): void => {
    const declared = declarationOf(node);
    const name = nameOf(declared, text);
    if (name !== null && !names.has(node.start)) names.set(node.start, scope + name);
    const inner = name === null ? scope : `${scope}${name}.`;
    for (const child of childrenOf(declared)) visit(child, inner);
  };
  visit(program, "");
  return names;
}

/** Declarations whose name is their `id`. */
const BY_ID =
  /^(?:FunctionDeclaration|ClassDeclaration|TSDeclareFunction|TS(?:Interface|TypeAlias|Enum|Module)Declaration|TSEnumMember)$/;
/** Members of classes, interfaces and objects, whose name is their `key`. */
const BY_KEY =
  /^(?:Property|(?:TSAbstract)?(?:MethodDefinition|PropertyDefinition|AccessorProperty)|TSMethodSignature|TSPropertySignature)$/;

/** The name a node declares, if it is a declaration that a doc comment may stand above. */
function nameOf(node: Node, text: string): string | null {
  const name = nameNode(node);
  if (name === null) return null;
  const written = text.slice(name.start, name.end);
  return node["computed"] === true ? `[${written}]` : written;
}

function nameNode(node: Node): Node | null {
  if (node.type === "VariableDeclaration") return partOf(partsOf(node, "declarations")[0] ?? null, "id");
  if (node.type === "ExportSpecifier") return partOf(node, "exported");
  if (BY_ID.test(node.type)) return partOf(node, "id");
  return BY_KEY.test(node.type) ? partOf(node, "key") : null;
}

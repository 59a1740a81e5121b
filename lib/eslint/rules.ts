/** The rules: mistakes that neither `tsc` nor a running program can tell, because JavaScript has no way to. */

import type { Rule } from "eslint";
import type * as ESTree from "estree";
import { calledName, typesOf, type Node } from "./tensors";

const problem = (description: string, messages: Record<string, string>): Rule.RuleMetaData => ({
  type: "problem",
  docs: { description },
  schema: [],
  messages,
});

/** A tensor is an object, and so always true: `x.greater(0) ? a : b` is `a`. */
export const noTensorCondition: Rule.RuleModule = {
  meta: problem("disallow tensors as conditions", {
    condition:
      "A tensor is always true as a condition, whatever it holds. Choose elements by Nx.select(condition, a, b), a branch of a traced " +
      "function by Nx.Defn.cond, or read the value: t.toNumber() !== 0.",
  }),
  create(context) {
    const { isTensor } = typesOf(context);
    const check = (node: ESTree.Node | null | undefined): void => {
      if (node && isTensor(node)) context.report({ node, messageId: "condition" });
    };
    return {
      IfStatement: ({ test }) => check(test),
      ConditionalExpression: ({ test }) => check(test),
      WhileStatement: ({ test }) => check(test),
      DoWhileStatement: ({ test }) => check(test),
      ForStatement: ({ test }) => check(test),
      LogicalExpression: ({ operator, left }) => operator !== "??" && check(left),
      UnaryExpression: ({ operator, argument }) => operator === "!" && check(argument),
    };
  },
};

const FUNCTIONS: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "%": "remainder",
  "**": "pow",
  "<": "less",
  "<=": "lessEqual",
  ">": "greater",
  ">=": "greaterEqual",
  "==": "equal",
  "===": "equal",
  "!=": "notEqual",
  "!==": "notEqual",
  "&": "bitwiseAnd",
  "|": "bitwiseOr",
  "^": "bitwiseXor",
  "<<": "leftShift",
  ">>": "rightShift",
  ">>>": "rightShift",
};
const SIGNS: Readonly<Record<string, string>> = { "-": "negate", "+": "toNumber", "~": "bitwiseNot" };

const isNothing = (node: ESTree.Node): boolean =>
  (node.type === "Literal" && node.value === null) || (node.type === "Identifier" && node.name === "undefined");

/** Operators work on references, not on elements: `a === b` asks whether two tensors are one object. */
export const noTensorOperator: Rule.RuleModule = {
  meta: problem("disallow operators of JavaScript on tensors", {
    operator: "The operator {{operator}} does not see the elements of a tensor. Write {{instead}}.",
  }),
  create(context) {
    const { mayBeTensor } = typesOf(context);
    const report = (node: ESTree.Node, operator: string, instead: string): void =>
      context.report({ node, messageId: "operator", data: { operator, instead } });
    return {
      BinaryExpression(node) {
        const { operator, left, right } = node;
        const fn = FUNCTIONS[operator];
        if (fn === undefined || left.type === "PrivateIdentifier" || isNothing(left) || isNothing(right)) return;
        if (!mayBeTensor(left) && !mayBeTensor(right)) return;
        const whole = /^[=!]==?$/.test(operator) ? ", or a.equals(b) to compare them as a whole" : "";
        report(node, operator, `a.${fn}(b)${whole}`);
      },
      UnaryExpression(node) {
        const fn = SIGNS[node.operator];
        if (fn !== undefined && mayBeTensor(node.argument)) report(node, node.operator, `a.${fn}()`);
      },
      AssignmentExpression(node) {
        const fn = FUNCTIONS[node.operator.slice(0, -1)];
        if (fn !== undefined && (mayBeTensor(node.left) || mayBeTensor(node.right)))
          report(node, node.operator, `a = a.${fn}(b)`);
      },
    };
  },
};

/** `Math` takes numbers: of a traced tensor, which has no value yet, there is none. */
export const noMathOnTensor: Rule.RuleModule = {
  meta: problem("disallow functions of Math on tensors", {
    math: "Math.{{name}} takes numbers, not tensors. Write Nx.{{instead}}(...).",
  }),
  create(context) {
    const { mayBeTensor } = typesOf(context);
    return {
      CallExpression(node) {
        const { callee, arguments: args } = node;
        if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return;
        if (callee.object.type !== "Identifier" || callee.object.name !== "Math") return;
        if (!args.some((arg) => mayBeTensor(arg.type === "SpreadElement" ? arg.argument : arg))) return;
        const { name } = callee.property;
        context.report({ node, messageId: "math", data: { name, instead: OF_MATH[name] ?? name } });
      },
    };
  },
};

/** Functions of `Math` with another name in this library. */
const OF_MATH: Readonly<Record<string, string>> = { fround: "asType", clz32: "countLeadingZeros", imul: "multiply" };

/** Functions that trace their arguments. */
const TRACING =
  /^(?:defn|jit|jitApply|compile|grad|valueAndGrad|vmap|jvp|vjp|jacobian|hessian|cond|whileLoop|scan|map|explain|debugExpr)$/;

/** A trace ends when the function returns, which an asynchronous one does before it has done anything. */
export const noAsyncInDefn: Rule.RuleModule = {
  meta: problem("disallow asynchronous functions and generators where functions are traced", {
    async:
      "{{name}} traces a function while it runs, and {{kind}} goes on after that. Await what it needs before, and give a plain function.",
  }),
  create(context) {
    return {
      CallExpression(node) {
        const name = calledName(context, node);
        if (name === null || !TRACING.test(name)) return;
        for (const arg of node.arguments) {
          if (arg.type !== "ArrowFunctionExpression" && arg.type !== "FunctionExpression") continue;
          const kind = arg.async ? "an async function" : arg.generator ? "a generator" : null;
          if (kind !== null) context.report({ node: arg, messageId: "async", data: { name, kind } });
        }
      },
    };
  },
};

/** Functions whose result is to be kept, since it keeps what was traced and compiled. */
const MAKING = /^(?:defn|jit|compile|grad|valueAndGrad|vmap|jacobian|hessian)$/;
const LOOP = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const FUNCTION = /^(?:ArrowFunctionExpression|Function(?:Expression|Declaration))$/;

/** What is made anew on each round is traced anew on each round. */
export const noTransformInLoop: Rule.RuleModule = {
  meta: problem("disallow transforms of functions made anew inside a loop", {
    loop: "{{name}} makes a function that is traced on its first call; made inside a loop, on every round. Make it once, before the loop.",
  }),
  create(context) {
    return {
      CallExpression(node) {
        const name = calledName(context, node);
        if (name === null || !MAKING.test(name)) return;
        let child: Node = node;
        for (let above = child.parent; above && !FUNCTION.test(above.type); child = above, above = above.parent) {
          const isOnce =
            above.type === "ForStatement" ? above.init === child : "right" in above && above.right === child;
          if (!LOOP.test(above.type) || isOnce) continue;
          context.report({ node, messageId: "loop", data: { name } });
          return;
        }
      },
    };
  },
};

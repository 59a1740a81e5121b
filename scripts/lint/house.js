// The lint rules of this code alone: the floors and cycles of imports, Node, and syntax that is not used here.
import { isBuiltin } from "node:module";
import { builtinRules } from "eslint/use-at-your-own-risk";
import { cycles } from "./cycles.js";
import { order } from "./floors.js";

/** Modules of Node are not imported. */
const node = {
  meta: {
    type: "problem",
    docs: { description: "no import of a module of Node" },
    schema: [],
    messages: {
      node: "Only lib/doctest and lib/node may use Node: everything else runs wherever JavaScript does.",
    },
  },
  create(context) {
    const check = ({ source }) => {
      if (typeof source?.value === "string" && isBuiltin(source.value))
        context.report({ node: source, messageId: "node" });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default {
  meta: { name: "house" },
  rules: { order, cycles, node, syntax: builtinRules.get("no-restricted-syntax") },
};

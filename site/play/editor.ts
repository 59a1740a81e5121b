/** The editor: TypeScript with completion, types of what the mouse points at, and errors, axis names among them. */
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter } from "@codemirror/lint";
import { Compartment, EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers, type DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import {
  tsAutocompleteWorker,
  tsFacetWorker,
  tsHoverWorker,
  tsLinterWorker,
  tsSyncWorker,
} from "@valtown/codemirror-ts";
import { compilerOf } from "./session";

export interface EditorHandle {
  code(): string;
  setCode(code: string): void;
  /** Marks the line of an error; null takes the mark away. */
  mark(line: number | null): void;
  close(): void;
}

interface Options {
  readonly code: string;
  readonly assets: string;
  run(): void;
  changed(code: string): void;
}

const markLine = StateEffect.define<number | null>();
const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { effects, changes, state }) {
    const effect = effects.find((one) => one.is(markLine));
    if (!effect) return marks.map(changes);
    const line = effect.value as number | null;
    if (line === null || line > state.doc.lines) return Decoration.none;
    return Decoration.set(Decoration.line({ class: "failed-line" }).range(state.doc.line(line).from));
  },
  provide: (field) => EditorView.decorations.from(field),
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.regexp], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-comment)" },
  { tag: [tags.typeName, tags.className], color: "var(--code-type)" },
]);

let files = 0;

/** Opens an editor in an element. Types join it when the compiler is there. */
export function openEditor(parent: HTMLElement, { code, assets, run, changed }: Options): EditorHandle {
  const types = new Compartment();
  const path = `/program-${++files}.ts`;
  const runs: Extension = keymap.of([{ key: "Ctrl-Enter", mac: "Cmd-Enter", run: () => (run(), true) }]);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: code.trimEnd(),
      extensions: [
        runs,
        lineNumbers(),
        history(),
        bracketMatching(),
        closeBrackets(),
        javascript({ typescript: true }),
        syntaxHighlighting(colours),
        syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
        lintGutter(),
        marked,
        types.of(autocompletion()),
        keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap]),
        EditorView.contentAttributes.of({ "aria-label": "Program" }),
        EditorView.lineWrapping,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  const text = (): string => view.state.doc.toString();
  void compilerOf(assets).then((worker) => {
    const extensions = [
      tsFacetWorker.of({ worker, path }),
      tsSyncWorker(),
      tsLinterWorker(),
      autocompletion({ override: [tsAutocompleteWorker()] }),
      tsHoverWorker(),
    ];
    view.dispatch({ effects: types.reconfigure(extensions) });
  });
  return {
    code: text,
    setCode: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    mark: (line) => view.dispatch({ effects: markLine.of(line) }),
    close: () => view.destroy(),
  };
}

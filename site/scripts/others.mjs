/** Writes the rows of the tables beside other libraries for the index, which asks for them when somebody looks for a name. */
import { writeFileSync } from "node:fs";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A cell of a table as HTML: code, and links to guides. */
const htmlOf = (cell) =>
  cell
    .split(/(`+.+?`+)/)
    .map((part) => {
      const [, code] = /^`+\s*(.+?)\s*`+$/.exec(part) ?? [];
      if (code !== undefined) return `<code>${escaped(code.replaceAll("\\|", "|"))}</code>`;
      return escaped(part).replaceAll(/\[([^\]]+)\]\((?:([\w-]+)\.md)?(#[\w-]+)?\)/g, (_, text, page, anchor = "") =>
        page ? `<a href="./guide/${page}.html${anchor}">${text}</a>` : text,
      );
    })
    .join("");

export function writeOthers(file, rows, functions) {
  // a name of the main entry goes before one of a sub-path
  const byEntry = functions.toSorted((a, b) => Number(Boolean(b.from)) - Number(Boolean(a.from)));
  const links = new Map(byEntry.map(({ name, link }) => [name, link]));
  const shown = rows.map(({ library, guide, names, theirs, here, ours }) => ({
    library,
    guide: `/guide/${guide.replace(".md", "")}`,
    names,
    theirs: htmlOf(theirs),
    here: htmlOf(here),
    ours: ours.filter((name) => links.has(name)).map((name) => ({ name, link: links.get(name) })),
  }));
  writeFileSync(file, JSON.stringify(shown));
}

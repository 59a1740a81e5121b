/** Graphs as Graphviz draws them here and where the site is built. */

/**
 * The text of a graph in a font whose widths Graphviz knows by itself, since it cannot ask for those of this machine: as wide as the page's
 * own, so that words stay in their boxes.
 */
export const drawable = (dot: string): string =>
  dot
    .replaceAll('fontname="monospace"', 'fontname="Courier"')
    .replace("digraph {", 'digraph {\n  graph [fontname="Courier", fontsize=11, labeljust=l];');

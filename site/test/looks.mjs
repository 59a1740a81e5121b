/**
 * Texts that look different, of which axe is asked for one each: contrast takes it as long as everything else together, and a page has the same
 * few looks thousands of times.
 */

/**
 * Runs in a page: elements with text inside of `include` and not of `exclude`, one of each look that is not known, and those looks. Two texts look
 * the same where their colours, sizes and weights are the same, and all that is painted below them by the elements around them. What may lie over
 * something else (what is positioned, moved or drawn, and fields) has the same look only in the same place: inside of elements of the same classes.
 */
export function looksOf([include, exclude, known]) {
  const met = new Set(known);
  const around = new Map();
  const placeOf = (element) =>
    element === null ? "" : `${placeOf(element.parentElement)} ${element.tagName}.${element.getAttribute("class")}`;
  /** What the elements around a text paint below it, and the innermost place of one that may lie over others. */
  const below = (element) => {
    if (element === null) return "";
    if (around.has(element)) return around.get(element);
    const style = globalThis.getComputedStyle(element);
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position, transform, zIndex } = style;
    const painted = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join(" ");
    const isPlain = painted === "rgba(0, 0, 0, 0) none 1 none normal";
    const isInFlow = ["static", "relative"].includes(position) && transform === "none" && !(Number(zIndex) < 0);
    const place = isInFlow && element.tagName !== "svg" ? "" : `at${placeOf(element)}; `;
    const found = below(element.parentElement) + (isPlain ? "" : `${painted}; `) + place;
    around.set(element, found);
    return found;
  };
  const lookOf = (element) => {
    const { color, fill, fontSize, fontWeight, textShadow, webkitTextFillColor, webkitTextStroke } =
      globalThis.getComputedStyle(element);
    const place = element.matches("input, select, textarea") ? placeOf(element) : "";
    const own = [color, fill, fontSize, fontWeight, textShadow, webkitTextFillColor, webkitTextStroke];
    return [below(element), ...own, place].join("| ");
  };
  const isInside = (element) =>
    include.some((part) => element.closest(part)) && !exclude.some((part) => element.closest(part));
  const elements = new Set(document.querySelectorAll("input, select, textarea"));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, data } = walker.currentNode;
    if (data.trim() !== "" && element.checkVisibility({ visibilityProperty: true })) elements.add(element);
  }
  const asked = [];
  const looks = [];
  for (const element of elements) {
    if (!isInside(element)) continue;
    const look = lookOf(element);
    if (met.has(look)) continue;
    met.add(look);
    asked.push(element);
    looks.push(look);
  }
  return { asked, looks };
}

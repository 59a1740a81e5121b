/**
 * Reads SVG text strictly: whatever the parser so much as warns of is an error.
 */
import { DOMParser, onWarningStopParsing } from "@xmldom/xmldom";

export const parse = (text: string) =>
  new DOMParser({ onError: onWarningStopParsing }).parseFromString(text, "image/svg+xml");

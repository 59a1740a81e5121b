/** Text in the form that `npm run format` gives the file it is written to. */
import { readFileSync } from "node:fs";
import { format, type OxfmtConfig } from "oxfmt";

const OPTIONS = JSON.parse(readFileSync(new URL("../.oxfmtrc.json", import.meta.url), "utf8")) as OxfmtConfig;

/** @throws Error where the text is none that the file could have */
export async function formatted(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, OPTIONS);
  if (errors.length > 0) throw new Error(`${file} cannot be formatted: ${errors[0]!.message}`);
  return code;
}

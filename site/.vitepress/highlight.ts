/**
 * Colours of code for the light and the dark look, in the markup that `markdown.theme` of VitePress gives. Tokens are found once for both
 * looks, since their themes have the same rules, and no tree is built of them.
 */
import { bundledThemes, createHighlighter, type ThemedToken, type ThemeRegistrationRaw } from "shiki";

const LIGHT = "github-light-high-contrast";
const DARK = "github-dark-high-contrast";
const BOTH = "both";
const LANGUAGES = ["ts", "js", "json", "sh", "python", "mermaid"];
/** Languages without colours. */
const PLAIN = /^(|text|txt)$/;
/** Bits of what a token says of its font, with the property of each. */
const FONTS: readonly (readonly [number, string])[] = [
  [1, "-font-style:italic"],
  [2, "-font-weight:bold"],
  [4, "-text-decoration:underline"],
];

/** Both themes as one, whose colours are numbers, and the colours that a number stands for. */
async function joinedThemes(): Promise<{ theme: ThemeRegistrationRaw; pairs: ReadonlyMap<string, readonly string[]> }> {
  const light = (await bundledThemes[LIGHT]()).default;
  const dark = (await bundledThemes[DARK]()).default;
  const pairs = new Map<string, readonly string[]>();
  const numberOf = (...colours: string[]): string => {
    const pair = colours.map((colour) => colour.toUpperCase());
    const [known] = [...pairs].find(([, one]) => String(one) === String(pair)) ?? [];
    if (known !== undefined) return known;
    const number = `#${String(pairs.size).padStart(6, "0")}`;
    pairs.set(number, pair);
    return number;
  };
  const rules = light.tokenColors!.map(({ scope, settings }, i) => {
    const other = dark.tokenColors![i];
    if (String(scope) !== String(other?.scope) || settings.fontStyle !== other?.settings.fontStyle)
      throw new Error(`${LIGHT} and ${DARK} have other rules`);
    const foreground = settings.foreground && numberOf(settings.foreground, other!.settings.foreground!);
    return { scope, settings: { ...settings, foreground } };
  });
  const plain = numberOf(light.colors!["editor.foreground"]!, dark.colors!["editor.foreground"]!);
  const theme = { name: BOTH, type: "light", fg: plain, bg: "#ffffff", settings: rules } as ThemeRegistrationRaw;
  return { theme, pairs };
}

/** Spaces belong to the token behind them. */
function withSpaces(line: readonly ThemedToken[]): ThemedToken[] {
  const joined: ThemedToken[] = [];
  let spaces = "";
  for (const [i, token] of line.entries()) {
    if (i + 1 < line.length && /^\s+$/.test(token.content)) spaces += token.content;
    else {
      joined.push({ ...token, content: spaces + token.content });
      spaces = "";
    }
  }
  return joined;
}

const escaped = (text: string): string => text.replaceAll("&", "&#x26;").replaceAll("<", "&#x3C;");

/** What writes a block of code as HTML. */
export async function highlighter(): Promise<(code: string, language: string) => string> {
  const { theme, pairs } = await joinedThemes();
  const shiki = await createHighlighter({ themes: [theme], langs: LANGUAGES });
  const styleOf = ({ color = "", fontStyle = 0 }: ThemedToken): string => {
    const fonts = FONTS.filter(([bit]) => (fontStyle & bit) !== 0).map(([, property]) => property);
    const look = (name: string, colour: string): string => [`:${colour}`, ...fonts].map((one) => name + one).join(";");
    const [light, dark] = pairs.get(color)!;
    return `${look("--shiki-light", light!)};${look("--shiki-dark", dark!)}`;
  };
  const spanOf = (token: ThemedToken): string => `<span style="${styleOf(token)}">${escaped(token.content)}</span>`;
  const plainLines = (code: string): string[] => code.split("\n").map((line) => `<span>${escaped(line)}</span>`);
  return (code, language) => {
    const text = code.trimEnd();
    const lines = PLAIN.test(language)
      ? plainLines(text)
      : shiki
          .codeToTokensBase(text, { lang: language as "ts", theme: BOTH as never })
          .map((line) => withSpaces(line).map(spanOf).join(""));
    const written = lines.map((line) => `<span class="line">${line}</span>`).join("\n");
    return `<pre class="shiki shiki-themes ${LIGHT} ${DARK} vp-code" tabindex="0" v-pre=""><code>${written}</code></pre>`;
  };
}

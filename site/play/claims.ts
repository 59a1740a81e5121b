/** What examples say that they show, and whether that is what they showed. */
import type { Event, Shown } from "./messages";

/** What a comment says: `=>` a value, `throws` an error, `prints` what was printed. */
export interface Claim {
  readonly kind: "=>" | "throws" | "prints";
  readonly text: string;
}

/** The claims of an example, in order. */
export function claimsOf(code: string): Claim[] {
  const lines = code.trimEnd().split("\n");
  return lines.flatMap((line, i): Claim[] => {
    const [, kind, first = ""] = /(?:^|[;})]) *\/\/ (=>|throws|prints)(?:$|:? (.*)|:$)/.exec(line) ?? [];
    if (kind === undefined) return [];
    const after = lines.slice(i + 1);
    const end = after.findIndex((one) => !/^ *\/\/(?! (=>|throws|prints))/.test(one));
    const more = after.slice(0, end === -1 ? after.length : end).map((one) => one.replace(/^ *\/\/ ?/, ""));
    return [{ kind: kind as Claim["kind"], text: [first, ...more].join("\n").trim() }];
  });
}

const textOf = (values: readonly Shown[]): string => values.map(({ text }) => text).join(" ");

/** White space, quotes and the commas before closing brackets say nothing. */
const bare = (text: string): string =>
  text
    .replaceAll("\\n", " ")
    .replaceAll(/[\s"'`\\]+/g, "")
    .replaceAll(/,(?=[\]}])/g, "");

const isError = (event: Event, said: string): boolean =>
  event.event === "failed" && bare(`${event.name}: ${event.message}`).startsWith(said);

/** How many events from a place on are what is claimed; 0 if none are. What a statement prints may be many; of an error the beginning is enough. */
function fitting(events: readonly Event[], from: number, { kind, text }: Claim): number {
  const said = bare(text);
  if (kind === "throws") return isError(events[from]!, said) ? 1 : 0;
  let shown = "";
  for (let i = from; i < events.length; i++) {
    const event = events[i]!;
    if (event.event !== "shown") return 0;
    shown += bare(textOf(event.values));
    if (shown === said) return i - from + 1;
    if (kind === "=>" || !said.startsWith(shown)) return 0;
  }
  return 0;
}

export interface Verdict {
  /** Claims that were met. */
  readonly met: number;
  /** Those that were not, and errors of which nothing is said. */
  readonly failures: readonly string[];
}

/** Compares what an example showed, in order, with what it says. */
export function verdictOf(code: string, events: readonly Event[]): Verdict {
  let left = events.filter(({ event }) => event !== "ended");
  const failures: string[] = [];
  const claims = claimsOf(code);
  for (const claim of claims) {
    const found = left.findIndex((_, i) => fitting(left, i, claim) > 0);
    if (found < 0) {
      failures.push(`nothing shows ${claim.text}`);
      continue;
    }
    const end = found + fitting(left, found, claim);
    left = left.filter((event, i) => i >= end || (i < found && event.event === "failed"));
  }
  const met = claims.length - failures.length;
  for (const event of left) if (event.event === "failed") failures.push(`${event.name}: ${event.message}`);
  return { met, failures };
}

/**
 * What the examples draw in the terminal: a progress bar and a plot of bars. Knows numbers, not tensors.
 */
const EIGHTHS = " ▁▂▃▄▅▆▇█";

/** A bar of `width` cells of which the part `done`, from 0 to 1, is filled. */
export function bar(done: number, width = 30): string {
  const filled = Math.round(done * width);
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
}

/**
 * Shows how far something has come: one line that is drawn anew where the output is a terminal, else a line at each
 * quarter, so that a log has the same lines every time.
 */
export function progress(step: number, steps: number, text: string): void {
  const line = `${bar(step / steps)} ${text}`;
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${step === steps ? "\n" : ""}`);
  else if (Math.floor((4 * step) / steps) > Math.floor((4 * (step - 1)) / steps)) console.log(line);
}

/** One bar for each value (none below 0), from 0 up to the largest in eighths of `rows` lines, with the ends of the scale on the left. */
export function plot(values: readonly number[], rows = 6): string {
  const top = Math.max(...values) || 1;
  const line = (row: number) => {
    const cell = (value: number) => EIGHTHS[Math.round(8 * Math.min(1, Math.max(0, (value / top) * rows - row)))]!;
    const label = row === rows - 1 ? top.toFixed(2) : row === 0 ? "0.00" : "";
    return `${label.padStart(5)} │${values.map(cell).join("").trimEnd()}`;
  };
  const axis = `${"".padStart(5)} └${"─".repeat(values.length)}`;
  return [...Array.from({ length: rows }, (_, i) => line(rows - 1 - i)), axis].join("\n");
}

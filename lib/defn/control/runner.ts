/** What runs control flow: whatever records some brings it, so that programs without do without. */
import type { runControl } from "./run";

export const control: { run: typeof runControl | null } = { run: null };

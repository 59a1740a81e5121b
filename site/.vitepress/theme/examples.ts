/** The examples of the page that is open, in its order. */
import { shallowReactive } from "vue";
import type { Verdict } from "../../play/claims";
import type { Event } from "../../play/messages";

export interface Listed {
  readonly code: string;
  /** Shows what it did, and whether that is what it says. */
  show(events: readonly Event[], verdict: Verdict): void;
}

export const listed = shallowReactive(new Set<Listed>());

/**
 * Loops.
 */
import type { Int } from "./locals";
import { i32 } from "./scalars";
import { block, br, br_if, local, loop, when } from "./structured";

/** The body for every value of the counter from 0 to below the limit, `step` apart; the body may change the counter. */
export function range(counter: Int, limit: Int | number, step: Int | number, body: () => void): void {
  local.set(counter, 0);
  onward(counter, limit, step, body);
}

/** As {@link range}, from the value the counter has. */
export function onward(counter: Int, limit: Int | number, step: Int | number, body: () => void): void {
  block((done) => {
    loop((next) => {
      i32.ge_u(counter, limit);
      br_if(done);
      body();
      local.set(counter, i32.add(counter, step));
      br(next);
    });
  });
}

/** The body again and again, as long as it leaves something other than 0 on the stack. */
export function repeat(body: () => void): void {
  loop((next) => {
    body();
    br_if(next);
  });
}

/** The body as long as `ask`, which comes before each turn, leaves something other than 0 on the stack. */
export function whileTrue(ask: () => void, body: () => void): void {
  ask();
  when(() =>
    repeat(() => {
      body();
      ask();
    }),
  );
}

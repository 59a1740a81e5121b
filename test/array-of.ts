interface Numbers {
  [position: number]: number;
}

/** An array of numbers by their positions. `from` of typed arrays gives the same and takes five times as long. */
export function arrayOf<T extends Numbers>(
  kind: new (length: number) => T,
  length: number,
  element: (position: number) => number,
): T {
  const made: Numbers = new kind(length);
  for (let i = 0; i < length; i++) made[i] = element(i);
  return made as T;
}

/** Numbers from 0 to 1 that are the same each time (minimal standard generator). */
export function random(size: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: size }, () => (state = (state * 16807) % 2147483647) / 2147483647);
}

/** Whether a value is a list all of whose entries are of a kind. Holes are entries, too, which `every` by itself passes over. */
export const isListOf = (value: unknown, isEntry: (entry: unknown) => boolean): value is readonly unknown[] =>
  Array.isArray(value) && Array.from<unknown>(value).every(isEntry);

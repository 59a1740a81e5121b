/**
 * Rules of nests that both the makers of nests and backends follow.
 */

/**
 * Lines of more elements do not stay in the caches together with what is computed of them. They are cut, so what is computed of a
 * line must not be read by kernels over its elements.
 */
export const LONG_LINE = 16_384;

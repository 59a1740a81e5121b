/** Telling vitest in watch mode which files a test file reads, so that an edit runs it again. Knows nothing of examples. */

/**
 * What is used of the state that vitest keeps in a worker. It is not part of its interface: a version that has it otherwise watches
 * what test files import, and no more.
 */
interface WorkerState {
  readonly filepath?: string;
  readonly config?: { readonly watch?: boolean };
  readonly rpc?: { ensureModuleGraphEntry?(path: string, importer: string): Promise<void> };
}

/** Makes the files count as imported by the test file that is running. */
export async function watchFiles(paths: readonly string[]): Promise<void> {
  const { filepath, config, rpc } = (globalThis as { __vitest_worker__?: WorkerState }).__vitest_worker__ ?? {};
  if (!config?.watch || filepath === undefined || !rpc?.ensureModuleGraphEntry) return;
  await Promise.all(paths.map((path) => rpc.ensureModuleGraphEntry!(path.replaceAll("\\", "/"), filepath)));
}

/** The module of the workers of workers.test.ts. */
import { workerData } from "node:worker_threads";
import FileSystemStore from "@zarrita/storage/fs";
import * as Nx from "nx-numerics";
import { openZarr, serveBlocks } from "nx-numerics/zarr";

const { folder, array } = workerData as { folder: string; array: string };

serveBlocks(() => openZarr(new FileSystemStore(folder), array), {
  double: (block) => Nx.multiply(block, 2),
  total: (block) => ({ sum: Nx.sum(block), blocks: Nx.tensor(1) }),
  fail: (block) => {
    throw new Error(`no ${block.names.join()} today`);
  },
  end: () => process.exit(3),
});

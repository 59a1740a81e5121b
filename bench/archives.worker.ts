/** The module of the workers of archives.ts. */
import { workerData } from "node:worker_threads";
import { openZarr, serveBlocks } from "nx-numerics/zarr";

const { folder, path } = workerData as { folder: string; path: string };

serveBlocks(() => openZarr(folder, path));

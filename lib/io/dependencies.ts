/**
 * What the package has in two ways, of which its `imports` choose one: the libraries that few programs need, Immutable where a file has its
 * collections and fflate where it is compressed, and bytes of modules. This file imports both libraries, as bundlers and browsers want it;
 * `node/dependencies` requires each when it is asked for, so that the start of a program in Node does not wait for them.
 */
import { deflateSync, Inflate } from "fflate";
import { List, Map, OrderedMap, Record } from "immutable";

export { assembled } from "../backends/assembled";

// Members by name: a namespace that is handed on keeps all of a library in a bundle.
export const compression = (): { deflateSync: typeof deflateSync; Inflate: typeof Inflate } => ({
  deflateSync,
  Inflate,
});

interface Collections {
  readonly List: typeof List;
  readonly Map: typeof Map;
  readonly OrderedMap: typeof OrderedMap;
  readonly Record: typeof Record;
}

export const collections = (): Collections => ({ List, Map, OrderedMap, Record });

/**
 * What the package has in two ways, of which its `imports` choose one: the libraries that few programs need, Immutable where a file has its
 * collections and fflate where it is compressed, and bytes of modules. This file imports both libraries, as bundlers and browsers want it;
 * `node/dependencies` requires each when it is asked for, so that the start of a program in Node does not wait for them.
 */
import * as fflate from "fflate";
import * as immutable from "immutable";

export { assembled } from "../backends/assembled";

export const compression = (): typeof fflate => fflate;

export const collections = (): typeof immutable => immutable;

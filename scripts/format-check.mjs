// Whether every file is as `npm run format` writes it. oxfmt writes what prettier writes, in a fiftieth of the time, but for unions of
// several lines and templates of Vue: prettier decides about files that have these, and about files that oxfmt would change.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => path.join(root, "node_modules/.bin", name);

/** The lines that a command prints; null where it cannot run, or says that something is wrong. */
function lines(command, args, statuses) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  return stderr === "" && statuses.includes(status) ? stdout.split("\n").filter((line) => line !== "") : null;
}

/** Whether prettier decides about a file in any case. */
function isUndecided(file) {
  const place = path.join(root, file);
  return existsSync(place) && (file.endsWith(".vue") || /^\s*[|&] /m.test(readFileSync(place, "utf8")));
}

const changed = lines(bin("oxfmt"), ["--list-different", "."], [0, 1]);
const kinds = ["*.ts", "*.mts", "*.vue"];
const known = lines("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...kinds], [0]);
// what oxfmt cannot read, and machines that it is not made for, are prettier's
const files = changed && known ? [...new Set([...changed, ...known.filter(isUndecided)])] : ["."];
process.exitCode = spawnSync(bin("prettier"), ["--check", ...files], { cwd: root, stdio: "inherit" }).status ?? 1;

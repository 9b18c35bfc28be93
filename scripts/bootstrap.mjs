// Runs one of our TypeScript programs on any machine with Node >= 20: installs the locked dependencies when they
// are missing or stale, then starts the program on the Node 24 that the lock file brings.
// Plain JavaScript, because it runs before that Node is there.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [program, ...args] = process.argv.slice(2);

installWhenNeeded();
start();

function installWhenNeeded() {
  if (isInstalled()) return;
  console.log("dependencies   installing what package-lock.json names (once)");
  // Older npm versions know nothing of `allowScripts` and run all install scripts, which works too.
  const npm = process.env.npm_execpath;
  const [command, prefix] = npm ? [process.execPath, [npm]] : ["npm", []];
  const result = spawnSync(command, [...prefix, "ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
  });
  if (result.status !== 0) {
    console.error("dependencies   npm ci failed; the reason stands above");
    process.exit(result.status ?? 1);
  }
}

/** By the list that npm itself leaves at the end of an install, so that an `npm ci` by hand counts, and half a one does not. */
function isInstalled() {
  const installed = packagesOf(join("node_modules", ".package-lock.json"));
  if (!installed) return false;
  return Object.entries(packagesOf("package-lock.json") ?? {}).every(([path, wanted]) => {
    const there = installed[path];
    // Optional ones are for other platforms; the checkout itself is not listed.
    return there ? there.version === wanted.version : path === "" || wanted.optional === true;
  });
}

function packagesOf(path) {
  const file = join(root, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : undefined;
}

function start() {
  const bundled = join(root, "node_modules", ".bin", "node");
  const node = existsSync(bundled) ? bundled : process.execPath;
  if (node === process.execPath && Number(process.versions.node.split(".")[0]) < 24) {
    console.error(
      `This platform (${process.platform}-${process.arch}) has no bundled Node; please run it with Node 24 or newer.`,
    );
    process.exit(1);
  }
  const cache =
    process.env.FORGELINE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "forgeline");
  const env = {
    // Compiling is half of a program's start.
    NODE_COMPILE_CACHE: join(cache, "compiled"),
    ...process.env,
    PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}`,
  };
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", join(root, program), ...args], {
    // A channel tells the child when this process is killed. It keeps no program alive, and most do not ask.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env,
  });
  // The child shares our terminal and gets Ctrl-C itself; we only must not die before it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

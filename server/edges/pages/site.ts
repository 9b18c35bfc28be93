/** The built web interface, read once: its page, and its assets with their compressed forms. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

export interface WebAsset {
  type: string;
  plain: Buffer;
  /** Content-Encoding → bytes, best first. */
  encoded: readonly (readonly ["br" | "gzip", Buffer])[];
}

export interface WebSite {
  /** The page, with `%NONCE%` and `%SESSION%` where they belong. */
  page: string;
  /** The page in which diagrams are drawn. */
  diagramPage: string;
  /** Path (`/assets/index-….js`) → file. */
  assets: ReadonlyMap<string, WebAsset>;
}

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".json": "application/json",
};

/** Rejects when `directory` holds no build. */
export async function readWebSite(directory: string): Promise<WebSite> {
  const page = await readFile(join(directory, "index.html"), "utf8");
  const diagramPage = await readFile(join(directory, "diagram.html"), "utf8");
  const assets = new Map<string, WebAsset>();
  const entries = await readdir(join(directory, "assets"), { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(directory, file).split(sep).join("/")}`;
    assets.set(path, { type, plain: await readFile(file), encoded: await encodedForms(file) });
  }
  return { page, diagramPage, assets };
}

async function encodedForms(file: string): Promise<["br" | "gzip", Buffer][]> {
  const forms: ["br" | "gzip", Buffer][] = [];
  for (const [encoding, ending] of [
    ["br", ".br"],
    ["gzip", ".gz"],
  ] as const) {
    const content = await readFile(`${file}${ending}`).catch(() => undefined);
    if (content) forms.push([encoding, content]);
  }
  return forms;
}

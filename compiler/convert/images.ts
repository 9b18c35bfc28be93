/** Which image stands for a machine or a tool of another system. */

/** Machines of GitHub and what runs instead. They have far more installed than any image; these have what scripts use most. */
const machines: Readonly<Record<string, string>> = {
  "ubuntu-latest": "buildpack-deps:noble",
  "ubuntu-24.04": "buildpack-deps:noble",
  "ubuntu-22.04": "buildpack-deps:jammy",
  "ubuntu-20.04": "buildpack-deps:focal",
  "ubuntu-slim": "buildpack-deps:noble",
};
export const plainImage = "buildpack-deps:noble";

export type System = "linux" | "macos" | "windows";

/** What a machine's name says of its system. */
export function systemOf(label: string): System | null {
  const name = label.toLowerCase();
  if (name.includes("windows") || name.startsWith("win")) return "windows";
  if (name.includes("macos") || name.includes("osx")) return "macos";
  return name.includes("ubuntu") || name.includes("linux") || name.includes("debian") ? "linux" : null;
}

/** Undefined: a machine that nobody but its owner knows. */
export function machineImage(label: string): string | undefined {
  if (Object.hasOwn(machines, label)) return machines[label];
  const near = Object.keys(machines).find((name) => label.startsWith(`${name}-`));
  return near === undefined ? undefined : machines[near];
}

/** Images with the tool that an action installs; `*` is its version. */
export const toolImages: Readonly<Record<string, { image: string; version: string; fallback: string }>> = {
  "actions/setup-node": { image: "node:*-bookworm", version: "node-version", fallback: "lts" },
  "actions/setup-python": { image: "python:*-bookworm", version: "python-version", fallback: "3" },
  "actions/setup-go": { image: "golang:*-bookworm", version: "go-version", fallback: "1" },
  "actions/setup-java": { image: "eclipse-temurin:*-jdk", version: "java-version", fallback: "21" },
  "actions/setup-dotnet": {
    image: "mcr.microsoft.com/dotnet/sdk:*",
    version: "dotnet-version",
    fallback: "9.0",
  },
  "ruby/setup-ruby": { image: "ruby:*-bookworm", version: "ruby-version", fallback: "3" },
  "shivammathur/setup-php": { image: "php:*-cli", version: "php-version", fallback: "8" },
  "dtolnay/rust-toolchain": { image: "rust:*-bookworm", version: "toolchain", fallback: "1" },
  "actions-rs/toolchain": { image: "rust:*-bookworm", version: "toolchain", fallback: "1" },
  "actions-rust-lang/setup-rust-toolchain": { image: "rust:*-bookworm", version: "toolchain", fallback: "1" },
  "oven-sh/setup-bun": { image: "oven/bun:*", version: "bun-version", fallback: "1" },
  "denoland/setup-deno": { image: "denoland/deno:*", version: "deno-version", fallback: "latest" },
};

/** How far a build of Temporal is, read from what `go` prints: first each module that it fetches, then each package. */

export interface BuildProgress {
  /** A line that `go` printed. */
  take(line: string): void;
  /** Modules whose fetching `go` does not tell of. */
  fetched(count: number): void;
  /** From now on packages are built, so many of them. */
  building(packages: number): void;
  /** In words; `seconds` since the beginning. */
  text(seconds: number): string;
}

export function createBuildProgress(modules: number): BuildProgress {
  let fetched = 0;
  let built = 0;
  let packages: number | undefined;
  return {
    take(line) {
      if (line.startsWith("go: downloading ")) fetched++;
      // `go build -v` names each package on a line of its own when its turn comes; all else has spaces.
      else if (packages !== undefined && /^[\w./~-]+$/.test(line)) built++;
    },
    fetched(count) {
      fetched += count;
    },
    building(count) {
      packages = count;
    },
    text(seconds) {
      const time = `${Math.round(seconds)} s`;
      if (packages === undefined) return `fetched ${fetched} of ${modules} modules, ${time}`;
      return `built ${Math.min(built, packages).toLocaleString("en")} of ${packages.toLocaleString("en")} packages, ${time}`;
    },
  };
}

/** How many modules a `go.sum` has the contents of; others are only asked what they require. */
export function modulesIn(goSum: string): number {
  return goSum.split("\n").filter((line) => /^\S+ \S+ h1:/.test(line) && !line.includes("/go.mod ")).length;
}

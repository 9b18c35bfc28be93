/** Words of the dependency graph of a repository. */
const number = new Intl.NumberFormat("en");
const count = (value: number, one: string, many: string) =>
  value === 1 ? `1 ${one}` : `${number.format(value)} ${many}`;
const packageCount = (value: number) => count(value, "package", "packages");

export const text = {
  title: "Dependencies",
  lead: "The packages that manifests declare and lock files resolve.",
  graph: "Dependency graph",
  graphHint:
    "Drag or use the arrow keys to move, the wheel or + and − to zoom, 0 to see all. Click for details.",
  leftOut: (shown: number) =>
    `The graph shows the ${number.format(shown)} nearest to the repository; the table has all.`,
  zoom: "Zoom",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  fit: "Show all",
  show: "Show",
  onlyDirect: "Direct dependencies",
  everything: (indirect: number) => `Also indirect ones (${number.format(indirect)})`,
  manifest: "Manifest",
  anyManifest: "All",
  ecosystem: "Ecosystem",
  anyEcosystem: "All",
  ecosystems: { npm: "npm", pypi: "PyPI", cargo: "Cargo", go: "Go", maven: "Maven" },
  kind: "Needed for",
  anyKind: "Anything",
  kinds: {
    runtime: "Running",
    development: "Development",
    build: "Building",
    optional: "Optional",
    peer: "Peer",
  },
  find: "Find a package",
  found: (value: number) =>
    value === 0
      ? "Nothing found."
      : `${count(value, "package", "packages")} found. Press Enter to go to the next one.`,
  onlyDirectSearched: "Only direct dependencies were searched. Show indirect ones to search those, too.",
  fetchingRest: "Loading indirect dependencies…",
  glance: "Summary",
  glanceLead: (direct: number, manifests: number, all: number) =>
    `${count(direct, "direct dependency", "direct dependencies")} in ${count(manifests, "file", "files")}${
      all > direct ? `, and ${number.format(all - direct)} indirect` : ""
    }.`,
  sizeHint: "Larger circles bring in more packages.",
  detailsOf: (name: string) => `Details of ${name}`,
  askedFor: "Requested",
  chosen: "Resolved",
  notTold: "not stated",
  askedIn: "Requested in",
  exceptionsIn: "Named in",
  chosenIn: "Resolved in",
  brings: "Brings in",
  packageCount,
  needs: "Depends on",
  neededBy: "Required by",
  andMore: (more: number) => `and ${number.format(more)} more`,
  close: "Close",
  asksFor: "Shown here",
  file: "File",
  name: "Package",
  asTable: "As a table",
  tableLead: (value: number) =>
    `${packageCount(value)}, filtered as above. Select a name to find it in the graph.`,
  moreRows: "Show more",
  noManifestsTitle: "No manifests",
  noManifests:
    "No file declares what this repository depends on. Push a package.json, pyproject.toml, requirements.txt, Cargo.toml, go.mod or pom.xml, with a lock file for exact versions, and the graph appears here.",
  noneTitle: "No dependencies",
  none: "The manifests name no dependencies.",
  filteredTitle: "Nothing to show",
  filtered: "No dependency matches these filters. Change them above.",
  unreadableTitle: (files: number) => `${count(files, "file", "files")} could not be read`,
  unreadable: (problem: string) => `It could not be read: ${problem}`,
} as const;

/** Words of the dependency graph of a repository. */
const number = new Intl.NumberFormat("en");
const count = (value: number, one: string, many: string) =>
  value === 1 ? `1 ${one}` : `${number.format(value)} ${many}`;
const packageCount = (value: number) => count(value, "package", "packages");

export const text = {
  title: "Dependencies",
  lead: "What manifests and lock files ask for and chose.",
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
  everything: (indirect: number) => `And all they need (${number.format(indirect)})`,
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
      : `${count(value, "package", "packages")} found. Enter goes from one to the next.`,
  onlyDirectSearched: "Only direct dependencies were searched; show all they need to search more.",
  fetchingRest: "What these need is being fetched.",
  glance: "At a glance",
  glanceLead: (direct: number, manifests: number, all: number) =>
    `${count(direct, "direct dependency", "direct dependencies")} in ${count(manifests, "file", "files")}${
      all > direct ? `, and ${number.format(all - direct)} that these need` : ""
    }.`,
  sizeHint: "The larger a circle, the more packages come with it.",
  detailsOf: (name: string) => `Details of ${name}`,
  askedFor: "Asked for",
  chosen: "Chosen",
  notTold: "not stated",
  askedIn: "Asked for in",
  exceptionsIn: "Named in",
  chosenIn: "Chosen in",
  brings: "Brings along",
  packageCount,
  needs: "Needs",
  neededBy: "Needed by",
  andMore: (more: number) => `and ${number.format(more)} more`,
  close: "Close",
  asksFor: "Shown here",
  file: "File",
  name: "Package",
  asTable: "As a table",
  tableLead: (value: number) =>
    `${packageCount(value)}, as chosen above. A name leads to its place in the graph.`,
  moreRows: "Show more",
  noManifestsTitle: "No manifests",
  noManifests:
    "No file tells what this repository depends on. A package.json, pyproject.toml, requirements.txt, Cargo.toml, go.mod or pom.xml does, and a lock file beside it tells the versions. Push one, and its graph appears here.",
  noneTitle: "No dependencies",
  none: "The manifests name no dependencies.",
  filteredTitle: "Nothing to show",
  filtered: "No dependency is of this manifest, ecosystem and kind. Choose others above.",
  unreadableTitle: (files: number) => `${count(files, "file", "files")} could not be read`,
  unreadable: (problem: string) => `It could not be read: ${problem}`,
} as const;

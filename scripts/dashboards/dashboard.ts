/**
 * Dashboards of Grafana, from a short description: rows of panels with their queries. `npm run generate` writes them into
 * `deploy/grafana/`; `test/contract/dashboards.test.ts` proves that their queries ask for metrics that exist.
 */

/** Of Grafana. */
type Unit = "s" | "bytes" | "Bps" | "reqps" | "ops" | "short" | "percentunit";

export interface Panel {
  title: string;
  unit: Unit;
  /** Expression, and what its lines are called: labels in `{{ }}`. */
  queries: readonly (readonly [expression: string, legend: string])[];
  /** What the title does not say. */
  description?: string;
  /** The last value as a number, not lines over time. */
  isNumber?: true;
}

export interface DashboardText {
  /** Address in Grafana; importing again replaces the one that has it. */
  uid: string;
  title: string;
  rows: readonly { title: string; panels: readonly Panel[] }[];
}

/** Of the time between two samples at least, whatever period is looked at. */
const interval = "[$__rate_interval]";

/** Per second, of a counter of all processes together. */
export function rate(counter: string, by = ""): string {
  return `sum${grouped(by)} (rate(${counter}${interval}))`;
}

/** Below which a half and 95 of 100 observations are. */
export function percentiles(histogram: string): Panel["queries"] {
  return [0.5, 0.95].map((part) => [
    `histogram_quantile(${part}, sum by (le) (rate(${bucketsOf(histogram)}${interval})))`,
    `p${part * 100}`,
  ]);
}

/** As each process tells it of the whole instance: adding them up would count twice. */
export function ofInstance(gauge: string, by = ""): string {
  return `max${grouped(by)} (${gauge})`;
}

/** As each process tells it of itself. */
export function ofProcesses(gauge: string, by = ""): string {
  return `sum${grouped(by)} (${gauge})`;
}

function grouped(by: string): string {
  return by === "" ? "" : ` by (${by})`;
}

/** `name{matcher}` → `name_bucket{matcher}`. */
function bucketsOf(histogram: string): string {
  return histogram.replace(/^\w+/, "$&_bucket");
}

const source = { type: "prometheus", uid: "${datasource}" };
const columns = 24;
const perRow = 3;
const height = 8;

/** What Grafana imports. */
export function renderDashboard({ uid, title, rows }: DashboardText): string {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push(
      place({ type: "row", title: row.title, collapsed: false, panels: [] }, { y, w: columns, h: 1 }),
    );
    y += 1;
    row.panels.forEach((panel, i) => {
      const w = columns / perRow;
      const at = { x: (i % perRow) * w, y: y + Math.floor(i / perRow) * height, w, h: height };
      panels.push(place(renderPanel(panel), at));
    });
    y += Math.ceil(row.panels.length / perRow) * height;
  }
  const numbered = panels.map((panel, i) => ({ id: i + 1, ...panel }));
  return `${JSON.stringify({ ...frame, uid, title, panels: numbered }, null, 2)}\n`;
}

const frame = {
  schemaVersion: 39,
  editable: true,
  graphTooltip: 1,
  refresh: "30s",
  tags: ["forgeline"],
  time: { from: "now-6h", to: "now" },
  timezone: "browser",
  templating: {
    list: [
      { name: "datasource", label: "Data source", type: "datasource", query: "prometheus", current: {} },
    ],
  },
  annotations: { list: [] },
  links: [{ type: "dashboards", title: "Forgeline", tags: ["forgeline"], asDropdown: true }],
};

function place(panel: object, at: { x?: number; y: number; w: number; h: number }): object {
  return { ...panel, gridPos: { x: 0, ...at } };
}

function renderPanel({ title, unit, queries, description, isNumber }: Panel): object {
  return {
    type: isNumber ? "stat" : "timeseries",
    title,
    ...(description === undefined ? {} : { description }),
    datasource: source,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: isNumber
      ? { reduceOptions: { calcs: ["lastNotNull"] }, textMode: "value_and_name" }
      : { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
    targets: queries.map(([expr, legendFormat], i) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + i),
      datasource: source,
      expr,
      legendFormat,
    })),
  };
}

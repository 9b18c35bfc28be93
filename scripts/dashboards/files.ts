/** Which dashboards there are, as files. */
import { renderDashboard } from "./dashboard.ts";
import { pipelines } from "./pipelines.ts";
import { server } from "./server.ts";
import { storage } from "./storage.ts";

/** Path in the repository → content. */
export function dashboardFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ pipelines, server, storage }).map(([name, dashboard]) => [
      `deploy/grafana/${name}.json`,
      renderDashboard(dashboard),
    ]),
  );
}

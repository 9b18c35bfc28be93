/** What a job of `hostile-world.ts` reports: markup wherever its author can put text. */
import type { ApiServer, TestPerson } from "../api-server.ts";
import { jobAtWork } from "../job-artifacts.ts";
import { reportFrom } from "../job-reports.ts";

const summary = "# <b onclick=alert(6)>Built</b>\n\n[x](javascript:alert(7))<script>alert(8)</script>\n";
const xmlOf = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The id of the test that failed. */
export async function reportMarkup(
  server: ApiServer,
  ada: TestPerson,
  { pipelineId, repository, evil }: { pipelineId: string; repository: string; evil: string },
): Promise<string> {
  const row = await server.container.platform.db.one<{ id: string }>(
    "select repository_id as id from pipelines where id = $1",
    [pipelineId],
  );
  const job = await jobAtWork(server, { pipelineId, repositoryId: row?.id ?? "" });
  const named = xmlOf(evil);
  await reportFrom(server, job, [
    // An image would be looked for in the commit, which this run has none of.
    { kind: "summary", from: 0, content: summary },
    {
      kind: "annotations",
      from: 0,
      content: `${JSON.stringify({ level: "error", file: evil, line: 1, message: evil })}\n${evil}\n`,
    },
    {
      kind: "junit",
      from: evil,
      content: `<testsuite name="${named}"><testcase name="${named}"><failure message="${named}">${named}</failure></testcase></testsuite>`,
    },
    { kind: "coverage", from: "lcov.info", content: `SF:${evil}\nDA:1,1\nDA:2,0\nend_of_record\n` },
  ]);
  const { json } = await server.api("GET", `/repos/${repository}/tests`, { token: ada.token });
  return json[0].id as string;
}

/** What waits for the approval of whoever looks, in all repositories. Nothing while nothing does. */
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { text } from "../../text/approvals.ts";
import { Section } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { placeOf } from "./approval-place.ts";

/** More are seldom, and a list by itself would hide the rest of the page. */
const mostShown = 20;

export function AwaitedApprovals() {
  const { data = [] } = $api.useQuery("get", "/user/approvals", {
    params: { query: { per_page: mostShown } },
  });
  if (data.length === 0) return null;
  return (
    <Section title={text.awaited}>
      <ul>
        {data.map(({ repository, pipeline, approval, fork_approval: fork }) => (
          <li key={approval?.id ?? pipeline.id}>
            <Link to={`/${repository}/pipelines/${pipeline.number}`} data-inline>
              {text.runOf(repository, pipeline.number)}
            </Link>{" "}
            {approval ? (
              <>
                {placeOf(approval)}, {text.until} <Time at={approval.expires_at} />
              </>
            ) : null}
            {fork ? text.commitOfFork(fork.merge_request, fork.author) : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Pages below the address of a team, whose name may have several parts. No team can be called `discussions`. */
import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { fetchPart } from "../../api/fetch-part.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TeamPage } from "./team-page.tsx";
import { useOrganization } from "./use-organization.ts";

const DiscussionPages = lazy(async () => ({
  default: (await fetchPart(() => import("../discussions/discussion-pages.tsx"))).DiscussionPages,
}));

export function TeamPages() {
  const { org } = useOrganization();
  const { "*": path = "" } = useParams();
  const [, team, page = ""] = /^(.+?)\/discussions(?:\/([^/]*))?$/.exec(path.replace(/\/+$/, "")) ?? [];
  if (team === undefined) return <TeamPage path={path} />;
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <DiscussionPages {...{ org, team, page }} />
    </Suspense>
  );
}

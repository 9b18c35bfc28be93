/** Pages below the address of a team, whose name may have several parts. No team can be called `discussions` or `routing`. */
import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { fetchPart } from "../../api/fetch-part.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TeamPage } from "./team-page.tsx";
import { useOrganization } from "./use-organization.ts";

const DiscussionPages = lazy(async () => ({
  default: (await fetchPart(() => import("../discussions/discussion-pages.tsx"))).DiscussionPages,
}));

const TeamRoutingPage = lazy(async () => ({
  default: (await fetchPart(() => import("../team-routing/team-routing-page.tsx"))).TeamRoutingPage,
}));

export function TeamPages() {
  const { org } = useOrganization();
  const { "*": path = "" } = useParams();
  const [, team, part, page = ""] =
    /^(.+?)\/(discussions|routing)(?:\/([^/]*))?$/.exec(path.replace(/\/+$/, "")) ?? [];
  if (team === undefined || (part === "routing" && page !== "")) return <TeamPage path={path} />;
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      {part === "routing" ? (
        <TeamRoutingPage key={`${org}/${team}`} {...{ org, team }} />
      ) : (
        <DiscussionPages {...{ org, team, page }} />
      )}
    </Suspense>
  );
}

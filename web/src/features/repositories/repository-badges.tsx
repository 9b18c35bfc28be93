/** What lists of repositories say about each in short words. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/repositories.ts";
import { Badge } from "../../ui/badge.tsx";

export function RepositoryBadges({
  repository: { visibility, mirror, importing },
}: {
  repository: Pick<Schemas["Repository"], "visibility" | "mirror" | "importing">;
}) {
  return (
    <>
      <Badge tone="plain">{visibility}</Badge> {mirror ? <Badge>{text.mirror}</Badge> : null}
      {importing ? <Badge>{text.importing}</Badge> : null}
    </>
  );
}

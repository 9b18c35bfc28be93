/** Where a merge request is in the merge queue of its target branch, for its merge box. */
import { ListOrdered } from "lucide-react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/merge-queue.ts";
import { mayMaintain } from "../environments/may-maintain.ts";
import { Line } from "../merge-requests/merge-box-line.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { RemoveButton } from "./queue-actions.tsx";
import { queueAddress } from "./queue-address.ts";

export function QueueLine({
  mergeRequest,
  place,
}: {
  mergeRequest: Schemas["MergeRequest"];
  place: Schemas["MergeQueuePlace"];
}) {
  const repository = useRepository();
  const { number, target_branch: branch, viewer_may: may } = mergeRequest;
  const said = place.state === "queued" ? text.place(place.position) : text[place.state];
  const mayRemove = (may.merge || may.edit || mayMaintain(repository)) && place.state !== "landing";
  return (
    <>
      <Line icon={<ListOrdered size={18} aria-hidden />} tone="soft">
        {said} <Link to={queueAddress(repository.full_name, branch)}>{text.show}</Link>
      </Line>
      {mayRemove ? <RemoveButton number={number} /> : null}
    </>
  );
}

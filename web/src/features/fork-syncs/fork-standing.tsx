/** How far a fork is behind and ahead of its upstream, in the head of its pages. */
import { Link } from "react-router";
import { text } from "../../text/fork-syncs.ts";
import { useForkStanding } from "./use-fork-standing.ts";

export function ForkStanding({ fullName }: { fullName: string }) {
  const { data } = useForkStanding();
  if (!data || data.behind === null || data.ahead === null) return null;
  const { behind, ahead } = data;
  return (
    <>
      {" · "}
      <Link to={`/${fullName}/sync`}>{text.standing({ behind, ahead })}</Link>
    </>
  );
}

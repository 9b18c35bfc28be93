/** All runners, for administrators. */
import { useSignedIn } from "../../api/session.ts";
import { text } from "../../text/runners.ts";
import { NotFound } from "../../ui/not-found.tsx";
import { SigningKeys } from "./signing-keys.tsx";
import { RunnerGroups } from "./runner-groups.tsx";
import { RunnerList } from "./runner-list.tsx";
import { InstanceWaitingJobs } from "./waiting-jobs.tsx";

export function RunnersPage() {
  const { user } = useSignedIn();
  if (!user.admin) return <NotFound />;
  const below = (
    <>
      <InstanceWaitingJobs />
      <RunnerGroups of={null} />
      <SigningKeys of={null} mayCreate />
    </>
  );
  return <RunnerList of={null} lead={text.lead} mayRegister below={below} />;
}

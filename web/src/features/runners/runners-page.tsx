/** All runners, for administrators. */
import { useSignedIn } from "../../api/session.ts";
import { text } from "../../text/runners.ts";
import { NotFound } from "../../ui/not-found.tsx";
import { SigningKeys } from "./signing-keys.tsx";
import { RunnerList } from "./runner-list.tsx";

export function RunnersPage() {
  const { user } = useSignedIn();
  if (!user.admin) return <NotFound />;
  return <RunnerList of={null} lead={text.lead} mayRegister below={<SigningKeys of={null} mayCreate />} />;
}

/** When the session ends while a page is open: asks to sign in above the page, so that what was typed there stays. */
import { useSession } from "../api/session.ts";
import { SignInForm } from "../features/sign-in/sign-in-form.tsx";
import { text } from "../text/general.ts";
import { Dialog } from "../ui/dialog.tsx";

export function SessionEndedDialog() {
  const session = useSession();
  return (
    <Dialog open onClose={() => undefined} insistent title={text.sessionEnded} lead={text.sessionEndedHint}>
      <SignInForm username={session?.user.username} />
    </Dialog>
  );
}

/** The door: signs in and goes where the visitor came from. */
import { Navigate, useSearchParams } from "react-router";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/sign-in.ts";
import { Page } from "../../ui/page.tsx";
import styles from "./door.module.css";
import { nextPath } from "./next-path.ts";
import { SignInForm } from "./sign-in-form.tsx";

export function SignInPage() {
  const session = useSession();
  const [query] = useSearchParams();
  if (session) return <Navigate to={nextPath(query.get("next"))} replace />;
  return (
    <div className={styles.door}>
      <Page title={text.title} lead={text.lead}>
        <SignInForm />
      </Page>
    </div>
  );
}

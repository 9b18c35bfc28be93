/** Signs in, and goes back to where the visitor came from. */
import { Link, useSearchParams } from "react-router";
import { $api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/sign-in.ts";
import { SignInLayout } from "./sign-in-layout.tsx";
import { ContinueToNext } from "./continue-to-next.tsx";
import { PasswordlessOptions } from "./passwordless-options.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export function SignInPage() {
  const session = useSession();
  const [query] = useSearchParams();
  const next = query.get("next");
  const { data: instance } = $api.useQuery("get", "/meta", {}, { staleTime: 60_000 });
  if (session) return <ContinueToNext next={next} />;
  return (
    <SignInLayout
      title={text.title}
      lead={text.lead}
      links={
        <>
          <p>
            <Link to="/-/forgotten-password">{text.forgotten}</Link>
          </p>
          {instance?.sign_up_open === false ? null : (
            <p>
              {text.noAccount} <Link to={withNextParameter("/sign-up", next)}>{text.makeAccount}</Link>
            </p>
          )}
        </>
      }
    >
      <SignInForm />
      <PasswordlessOptions next={next} />
    </SignInLayout>
  );
}

export function withNextParameter(path: string, next: string | null): string {
  return next === null ? path : `${path}?${new URLSearchParams({ next }).toString()}`;
}

/** The door: signs in and goes where the visitor came from. */
import { Link, useSearchParams } from "react-router";
import { $api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/sign-in.ts";
import { Door } from "./sign-in-layout.tsx";
import { GoOn } from "./continue-to-next.tsx";
import { OtherWays } from "./other-ways.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export function SignInPage() {
  const session = useSession();
  const [query] = useSearchParams();
  const next = query.get("next");
  const { data: instance } = $api.useQuery("get", "/meta", {}, { staleTime: 60_000 });
  if (session) return <GoOn next={next} />;
  return (
    <Door
      title={text.title}
      lead={text.lead}
      links={
        <>
          <p>
            <Link to="/-/forgotten-password">{text.forgotten}</Link>
          </p>
          {instance?.sign_up_open === false ? null : (
            <p>
              {text.noAccount} <Link to={withNext("/sign-up", next)}>{text.makeAccount}</Link>
            </p>
          )}
        </>
      }
    >
      <SignInForm />
      <OtherWays next={next} />
    </Door>
  );
}

export function withNext(path: string, next: string | null): string {
  return next === null ? path : `${path}?${new URLSearchParams({ next }).toString()}`;
}

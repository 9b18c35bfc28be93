/** Signing in without a password: with a passkey, or at an organization's identity provider. */
import { useMutation } from "@tanstack/react-query";
import { Building2, KeyRound } from "lucide-react";
import { useState } from "react";
import { hasPasskeys, signInWithPasskey, wasDismissed } from "../../api/passkeys.ts";
import { setHasSession } from "../../api/connection.ts";
import { startSession } from "../../api/session.ts";
import { text } from "../../text/sign-in.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import styles from "./sign-in-layout.module.css";

export function PasswordlessOptions({ next }: { next: string | null }) {
  const [asksOrganization, setAsksOrganization] = useState(false);
  return (
    <>
      <div className={styles.or}>{text.or}</div>
      <div className={styles.ways}>
        {hasPasskeys ? <PasskeyButton /> : null}
        {asksOrganization ? (
          <OrganizationForm next={next} />
        ) : (
          <Button icon={<Building2 aria-hidden />} onClick={() => setAsksOrganization(true)}>
            {text.throughOrganization}
          </Button>
        )}
      </div>
    </>
  );
}

function PasskeyButton() {
  const signIn = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: async () => {
      await startSession();
      setHasSession(true);
    },
  });
  return (
    <>
      <Button icon={<KeyRound aria-hidden />} busy={signIn.isPending} onClick={() => signIn.mutate()}>
        {text.passkey}
      </Button>
      {signIn.error && !wasDismissed(signIn.error) ? <ProblemNotice error={signIn.error} /> : null}
    </>
  );
}

/** The server sends the browser away to the provider, so this leaves the page. */
function OrganizationForm({ next }: { next: string | null }) {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Form
      submit={text.goOn}
      state={{ isPending: isLeaving, error: null }}
      onSubmit={(values) => {
        const query = next === null ? "" : `?${new URLSearchParams({ next }).toString()}`;
        setLeaving(true);
        window.location.assign(
          `/login/sso/${encodeURIComponent((values["organization"] ?? "").trim())}${query}`,
        );
      }}
    >
      <TextField
        name="organization"
        label={text.organization}
        hint={text.organizationHint}
        autoCapitalize="off"
        spellCheck={false}
        required
        autoFocus
      />
    </Form>
  );
}

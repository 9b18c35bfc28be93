/** Name and password, and a one-time code if the account requires one. */
import { useMutation } from "@tanstack/react-query";
import { ForgelineApiError } from "@forgeline/client/errors.ts";
import { api } from "../../api/client.ts";
import { setHasSession } from "../../api/connection.ts";
import { startSession } from "../../api/session.ts";
import { text } from "../../text/sign-in.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";

/** `username`: the user who has to sign in again. */
export function SignInForm({ username, onDone }: { username?: string | undefined; onDone?: () => void }) {
  const signIn = useMutation({
    mutationFn: (body: { username: string; password: string; otp?: string }) =>
      api.POST("/user/sessions", { body }),
    onSuccess: async () => {
      await startSession();
      setHasSession(true);
      onDone?.();
    },
  });
  const wantsCode =
    signIn.error instanceof ForgelineApiError && signIn.error.body.two_factor_required === true;
  return (
    <Form
      submit={text.submit}
      state={wantsCode && !signIn.variables?.otp ? { ...signIn, error: null } : signIn}
      onSubmit={(values) => {
        const otp = (values["otp"] ?? "").trim();
        signIn.mutate({
          username: username ?? values["username"] ?? "",
          password: values["password"] ?? "",
          ...(otp === "" ? {} : { otp }),
        });
      }}
    >
      <TextField
        name="username"
        label={text.username}
        autoComplete="username webauthn"
        autoCapitalize="off"
        spellCheck={false}
        required
        autoFocus={username === undefined}
        {...(username === undefined ? {} : { defaultValue: username, readOnly: true })}
      />
      <TextField
        name="password"
        type="password"
        label={text.password}
        autoComplete="current-password"
        required
        autoFocus={username !== undefined}
      />
      {wantsCode ? (
        <TextField
          name="otp"
          label={text.otp}
          hint={text.otpHint}
          autoComplete="one-time-code"
          inputMode="text"
          required
          autoFocus
        />
      ) : null}
    </Form>
  );
}

/** Words of signing in. */
export const text = {
  title: "Sign in",
  lead: "to Forgeline",
  username: "User name or e-mail address",
  password: "Password",
  otp: "One-time code",
  otpHint: "Six digits from your app, or one of your recovery codes.",
  submit: "Sign in",
} as const;

/** An OpenPGP key that `gpg` has made, with one subkey that signs, and what it has signed. The private half is gone. */

/** As `gpg --armor --export` writes it. */
export const openPgpKey = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEaw3Y+RYJKwYBBAHaRw8BAQdA5BIiBXm8sXzjr6aL5G0Os6vWly2D5/nwZCCJ
MTx00vS0FUFkYSA8YWRhQGV4YW1wbGUub3JnPoiQBBMWCAA4FiEEu2j19HOCnZ50
f9K0SaXrTqhjFEwFAmsN2PkCGwEFCwkIBwIGFQoJCAsCBBYCAwECHgECF4AACgkQ
SaXrTqhjFEyJIAD/XMduNDhNtHZz11LShTfcPsm8cAWIfyHl9QJa80bq72QA/RS8
K0i60PaN1hJQVfluoPYoE+q0MJ1xNPwSYtzhvX0NuDMEaw3Y+RYJKwYBBAHaRw8B
AQdAQBbdpxuJtlv4XCRoxPBktwMo+sw8HLvnVOq/cmk0NwqI7wQYFggAIBYhBLto
9fRzgp2edH/StEml606oYxRMBQJrDdj5AhsCAIEJEEml606oYxRMdiAEGRYIAB0W
IQR3M/sjIZS5/jMxLmWY4fD/xzOTAAUCaw3Y+QAKCRCY4fD/xzOTAF0CAP9BwsdS
glKbtnJSuv2zYmeEu/s4a0I1vkRdwubOkAfWeAD/W46uH+un5UR5RT+2L4qftFXg
osHGxiiBDIxT2/qIcArpjwEA9GNUdL9SYWJNmSCiprQmdx/pnprH4shFhlRJd6M0
k/MBAMCCws7B/vnFWcsU8y5AZiWgc1mmg5J2FEYBP5OscIsI
=7/1w
-----END PGP PUBLIC KEY BLOCK-----
`;

/** The same key, after the subkey was revoked. */
export const openPgpKeyRevoked = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEaw3Y+RYJKwYBBAHaRw8BAQdA5BIiBXm8sXzjr6aL5G0Os6vWly2D5/nwZCCJ
MTx00vS0FUFkYSA8YWRhQGV4YW1wbGUub3JnPoiQBBMWCAA4FiEEu2j19HOCnZ50
f9K0SaXrTqhjFEwFAmsN2PkCGwEFCwkIBwIGFQoJCAsCBBYCAwECHgECF4AACgkQ
SaXrTqhjFEyJIAD/XMduNDhNtHZz11LShTfcPsm8cAWIfyHl9QJa80bq72QA/RS8
K0i60PaN1hJQVfluoPYoE+q0MJ1xNPwSYtzhvX0NuDMEaw3Y+RYJKwYBBAHaRw8B
AQdAQBbdpxuJtlv4XCRoxPBktwMo+sw8HLvnVOq/cmk0NwqIdwQoFggAIBYhBLto
9fRzgp2edH/StEml606oYxRMBQJrDduOAh0CAAoJEEml606oYxRMqRgBAJUHY6e0
PqFpkt6b8qOn5AU0MEEUaVL5cNk0B73MW6PZAPjyjW/zLOX4J1DeL8qW0vp2vU2U
Ps34R8fnDYIbdcUJiO8EGBYIACAWIQS7aPX0c4KdnnR/0rRJpetOqGMUTAUCaw3Y
+QIbAgCBCRBJpetOqGMUTHYgBBkWCAAdFiEEdzP7IyGUuf4zMS5lmOHw/8czkwAF
AmsN2PkACgkQmOHw/8czkwBdAgD/QcLHUoJSm7ZyUrr9s2JnhLv7OGtCNb5EXcLm
zpAH1ngA/1uOrh/rp+VEeUU/ti+Kn7RV4KLBxsYogQyMU9v6iHAK6Y8BAPRjVHS/
UmFiTZkgoqa0Jncf6Z6ax+LIRYZUSXejNJPzAQDAgsLOwf75xVnLFPMuQGYloHNZ
poOSdhRGAT+TrHCLCA==
=Vv8S
-----END PGP PUBLIC KEY BLOCK-----
`;

export const openPgpFingerprint = "bb68f5f473829d9e747fd2b449a5eb4ea863144c";

/** Made by `git commit -S`, by Ada <ada@example.org>. */
export const openPgpCommit = Buffer.from(`tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
parent 54b588a1ca18ab672723767d24a263a00da59726
author Ada <ada@example.org> 1767225600 +0000
committer Ada <ada@example.org> 1767225600 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
 
 iIYEABYIAC4WIQR3M/sjIZS5/jMxLmWY4fD/xzOTAAUCaw3Y+RAcYWRhQGV4YW1w
 bGUub3JnAAoJEJjh8P/HM5MAR1sBAOE2whzBklQ4wTc/8Xhk9q19y0eTgG5Uhg2g
 CKYL4tegAQCdft9j3KjtmjPqSGKm273/Zpk65xW9Jf08+8Obs9waAQ==
 =zMDy
 -----END PGP SIGNATURE-----

by gpg
`);

/** Its parent, which an SSH key has signed. */
export const parentCommit = Buffer.from(`tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
author Ada <ada@example.org> 1767225600 +0000
committer Ada <ada@example.org> 1767225600 +0000
gpgsig -----BEGIN SSH SIGNATURE-----
 U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgQj5RNytaumuJQjVD0VnFR0lpLF
 DDMh05o5Fyk2VZnjYAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
 AAAAQOr3pC9PoOdwAmBgEZUU+M9UP7ReTYj/0uUvl+5xQB+TJSz5ndKulDxZVTulIJCbRY
 zMVDymD0yjhqm9DJBmUQo=
 -----END SSH SIGNATURE-----

by ssh
`);

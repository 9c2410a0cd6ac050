-- CreateTable
CREATE TABLE "signing_secrets" (
    "purpose" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_secrets_pkey" PRIMARY KEY ("purpose")
);


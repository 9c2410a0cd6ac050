-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "written_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "test_clock_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "plans" ADD COLUMN     "metadata" JSONB;

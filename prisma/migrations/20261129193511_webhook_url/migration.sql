-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "webhook_url" TEXT;

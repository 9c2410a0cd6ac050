-- AlterEnum
ALTER TYPE "JobTask" ADD VALUE 'verify';

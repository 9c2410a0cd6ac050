-- CreateTable
CREATE TABLE "_CustomerSections" (
    "A" UUID NOT NULL,
    "B" UUID NOT NULL,

    CONSTRAINT "_CustomerSections_AB_pkey" PRIMARY KEY ("A","B")
);

-- CreateIndex
CREATE INDEX "_CustomerSections_B_index" ON "_CustomerSections"("B");

-- CreateIndex
CREATE INDEX "customers_organization_id_sequential_id_idx" ON "customers"("organization_id", "sequential_id");

-- AddForeignKey
ALTER TABLE "_CustomerSections" ADD CONSTRAINT "_CustomerSections_A_fkey" FOREIGN KEY ("A") REFERENCES "customers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "_CustomerSections" ADD CONSTRAINT "_CustomerSections_B_fkey" FOREIGN KEY ("B") REFERENCES "invoice_custom_sections"("id") ON DELETE CASCADE ON UPDATE CASCADE;
